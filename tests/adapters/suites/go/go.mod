module suite

go 1.18
