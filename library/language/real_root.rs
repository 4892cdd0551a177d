// The root of a diagonal, of which only the real part counts.
|d| d.sqrt()
