// Nothing is declared: programs have the library loaded before them (LD_PRELOAD).
