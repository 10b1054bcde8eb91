import os

from flask import Flask

app = Flask(__name__, static_folder=os.environ["WEBDYNO_STATIC"], static_url_path="/")
