# frozen_string_literal: true

# None: files are served before the routes.
