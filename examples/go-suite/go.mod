module suite

go 1.18

require tarebench v0.0.0

replace tarebench => ../../clients/go
