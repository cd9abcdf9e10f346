module tarebench

go 1.18
