// Nothing is declared: the library is loaded before programs (LD_PRELOAD).
