// The same in the program.
|n, state, step| fori(n, state, step)
