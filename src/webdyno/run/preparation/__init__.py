"""What has to be there before the first trial: generators, services, servers that are built."""
