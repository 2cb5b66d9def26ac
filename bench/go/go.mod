module grille/bench

go 1.24
