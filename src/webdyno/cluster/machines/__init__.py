"""Who the machines are: members, their facts and roles, and the Ray that they share."""
