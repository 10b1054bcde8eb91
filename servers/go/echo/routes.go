package main

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"

	"github.com/labstack/echo/v5"
)

func mountHello(app *echo.Echo) error {
	app.GET("/hello", func(c *echo.Context) error {
		return c.String(http.StatusOK, "Hello World")
	})
	return nil
}

func mountMiddleware(app *echo.Echo) error {
	number, err := wantedMiddlewares()
	if err != nil {
		return err
	}
	var seen counts
	for range number {
		app.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c *echo.Context) error {
				seen.passed.Add(1)
				return next(c)
			}
		})
	}
	app.GET("/hello", func(c *echo.Context) error {
		seen.requests.Add(1)
		return c.String(http.StatusOK, "Hello World")
	})
	app.GET("/passed", func(c *echo.Context) error {
		return c.JSON(http.StatusOK, seen.tally())
	})
	return nil
}

func mountJSON(app *echo.Echo) error {
	app.GET("/json", func(c *echo.Context) error {
		return c.JSON(http.StatusOK, drawNumbers())
	})
	return nil
}

func mountBlog(app *echo.Echo) error {
	folder, err := requireEnv("WEBDYNO_BLOG_DATA")
	if err != nil {
		return err
	}
	lib, err := loadLibrary(folder)
	if err != nil {
		return err
	}
	app.GET("/blog", func(c *echo.Context) error {
		return c.Render(http.StatusOK, "blog.html", lib.drawPage())
	})
	app.StaticFS("/images", os.DirFS(filepath.Join(folder, "static", "images")))
	app.StaticFS("/css", os.DirFS(filepath.Join(folder, "static", "css")))
	return nil
}

func mountStatic(app *echo.Echo) error {
	folder, err := requireEnv("WEBDYNO_STATIC")
	if err != nil {
		return err
	}
	app.StaticFS("/", os.DirFS(folder))
	return nil
}

func mountSHA256(app *echo.Echo) error {
	path, err := requireEnv("WEBDYNO_FILE")
	if err != nil {
		return err
	}
	app.GET("/benchmark", func(c *echo.Context) error {
		n, ok := rounds(c.QueryParam("n"))
		if !ok {
			return echo.NewHTTPError(http.StatusBadRequest, "n must be an integer from 1 to 100000")
		}
		digest, err := readAndDigest(path, n)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, digest)
	})
	return nil
}

func mountPointLookup(app *echo.Echo) error {
	skus, err := openLookup()
	if err != nil {
		return err
	}
	app.GET("/sku", func(c *echo.Context) error {
		id := c.QueryParam("id")
		if !c.QueryParams().Has("id") {
			id = skus.draw()
		}
		sku, err := skus.find(c.Request().Context(), id)
		if errors.Is(err, sql.ErrNoRows) {
			return echo.ErrNotFound
		}
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, sku)
	})
	return nil
}

func mountSessionCounter(app *echo.Echo) error {
	store, err := openTableStore()
	if err != nil {
		return err
	}
	app.GET("/", func(c *echo.Context) error {
		session, err := store.Get(c.Request(), "session")
		if err != nil {
			return err
		}
		held, _ := session.Values["count"].(float64) // as encoding/json reads a number
		count := int64(held) + 1
		session.Values["count"] = count
		if err := session.Save(c.Request(), c.Response()); err != nil {
			return err
		}
		return c.String(http.StatusOK, fmt.Sprintf("Count is %d", count))
	})
	return nil
}

func mountQueries(app *echo.Echo) error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	app.GET("/queries", func(c *echo.Context) error {
		worlds, err := readWorlds(c.Request().Context(), pool, clampedRows(c.QueryParam("n")))
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, worlds)
	})
	return nil
}

func mountUpdates(app *echo.Echo) error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	app.POST("/updates", func(c *echo.Context) error {
		items, err := countItems(c.Request().Context(), pool, clampedRows(c.QueryParam("n")))
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, items)
	})
	return nil
}

func mountFortunes(app *echo.Echo) error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	app.GET("/fortunes", func(c *echo.Context) error {
		added := c.QueryParam("added")
		if added == "" {
			return echo.NewHTTPError(http.StatusBadRequest, "added must be a text")
		}
		fortunes, err := readFortunes(c.Request().Context(), pool, added)
		if err != nil {
			return err
		}
		return c.Render(http.StatusOK, "fortunes.html", fortunes)
	})
	return nil
}

func mountPage(app *echo.Echo) error {
	pool, err := openPostgres()
	if err != nil {
		return err
	}
	app.GET("/page", func(c *echo.Context) error {
		articles, err := readArticles(c.Request().Context(), pool)
		if err != nil {
			return err
		}
		return c.Render(http.StatusOK, "page.html", articles)
	})
	return nil
}
