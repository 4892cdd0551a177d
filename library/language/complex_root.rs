|d| complex(d.re().sqrt(), zeros_like(d.im()))
