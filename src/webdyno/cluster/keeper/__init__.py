"""The process that keeps a machine in the cluster, and answers the others."""
