module items

go 1.24
