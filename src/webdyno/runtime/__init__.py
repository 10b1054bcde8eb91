"""Where servers live.

`builds/` makes a server of its sources; `processes/` starts, counts and ends programs; `machine/`
says what this machine is and which cores each role has; `confinement/` holds a program to its
share; `services/` are databases and proxies; `languages/` the programs that languages bring. Beside
them stands what all of them use: the state folder, disks, ports, programs and their versions.
"""
