module webdyno.example/memory

go 1.25
