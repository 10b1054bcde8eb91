import Zewo
