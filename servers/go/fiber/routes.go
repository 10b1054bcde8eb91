package main

import (
	"database/sql"
	"errors"
	"path/filepath"

	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/static"
)

func mountHello(app *fiber.App) error {
	app.Get("/hello", func(c fiber.Ctx) error {
		return c.SendString("Hello World")
	})
	return nil
}

func mountMiddleware(app *fiber.App) error {
	number, err := wantedMiddlewares()
	if err != nil {
		return err
	}
	var seen counts
	for range number {
		app.Use(func(c fiber.Ctx) error {
			seen.passed.Add(1)
			return c.Next()
		})
	}
	app.Get("/hello", func(c fiber.Ctx) error {
		seen.requests.Add(1)
		return c.SendString("Hello World")
	})
	app.Get("/passed", func(c fiber.Ctx) error {
		return c.JSON(seen.tally())
	})
	return nil
}

func mountJSON(app *fiber.App) error {
	app.Get("/json", func(c fiber.Ctx) error {
		return c.JSON(drawNumbers())
	})
	return nil
}

func mountBlog(app *fiber.App) error {
	folder, err := requireEnv("WEBDYNO_BLOG_DATA")
	if err != nil {
		return err
	}
	lib, err := loadLibrary(folder)
	if err != nil {
		return err
	}
	app.Get("/blog", func(c fiber.Ctx) error {
		return c.Type("html").Render("blog.html", lib.drawPage())
	})
	app.Get("/images/*", static.New(filepath.Join(folder, "static", "images")))
	app.Get("/css/*", static.New(filepath.Join(folder, "static", "css")))
	return nil
}

func mountStatic(app *fiber.App) error {
	folder, err := requireEnv("WEBDYNO_STATIC")
	if err != nil {
		return err
	}
	// By default a file is kept open until it was idle for a while, and served as it was then.
	app.Get("/*", static.New(folder, static.Config{CacheDuration: -1}))
	return nil
}

func mountSHA256(app *fiber.App) error {
	path, err := requireEnv("WEBDYNO_FILE")
	if err != nil {
		return err
	}
	app.Get("/benchmark", func(c fiber.Ctx) error {
		n, ok := rounds(c.Query("n"))
		if !ok {
			return fiber.NewError(fiber.StatusBadRequest, "n must be an integer from 1 to 100000")
		}
		digest, err := readAndDigest(path, n)
		if err != nil {
			return err
		}
		return c.SendString(digest)
	})
	return nil
}

func mountPointLookup(app *fiber.App) error {
	skus, err := openLookup()
	if err != nil {
		return err
	}
	app.Get("/sku", func(c fiber.Ctx) error {
		id := c.Query("id")
		if !c.Request().URI().QueryArgs().Has("id") {
			id = skus.draw()
		}
		sku, err := skus.find(c.Context(), id)
		if errors.Is(err, sql.ErrNoRows) {
			return fiber.ErrNotFound
		}
		if err != nil {
			return err
		}
		return c.SendString(sku)
	})
	return nil
}

func mountQueries(app *fiber.App) error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	app.Get("/queries", func(c fiber.Ctx) error {
		worlds, err := readWorlds(c.Context(), pool, clampedRows(c.Query("n")))
		if err != nil {
			return err
		}
		return c.JSON(worlds)
	})
	return nil
}

func mountUpdates(app *fiber.App) error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	app.Post("/updates", func(c fiber.Ctx) error {
		items, err := countItems(c.Context(), pool, clampedRows(c.Query("n")))
		if err != nil {
			return err
		}
		return c.JSON(items)
	})
	return nil
}

func mountFortunes(app *fiber.App) error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	app.Get("/fortunes", func(c fiber.Ctx) error {
		added := c.Query("added")
		if added == "" {
			return fiber.NewError(fiber.StatusBadRequest, "added must be a text")
		}
		fortunes, err := readFortunes(c.Context(), pool, added)
		if err != nil {
			return err
		}
		return c.Type("html").Render("fortunes.html", fortunes)
	})
	return nil
}

func mountPage(app *fiber.App) error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	app.Get("/page", func(c fiber.Ctx) error {
		articles, err := readArticles(c.Context(), pool)
		if err != nil {
			return err
		}
		return c.Type("html").Render("page.html", articles)
	})
	return nil
}
