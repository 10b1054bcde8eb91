package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
)

const postsPerPage = 5

type post struct {
	Title      string   `json:"title"`
	Paragraphs []string `json:"paragraphs"`
}

type image struct {
	File string `json:"file"`
	Alt  string `json:"alt"`
}

// An illustratedPost is a post with the image drawn for it.
type illustratedPost struct {
	post
	Image image
}

// A library is what the blog draws its pages from.
type library struct {
	posts  []post
	images []image
}

// loadLibrary reads posts.json and images.json in folder.
func loadLibrary(folder string) (*library, error) {
	var lib library
	if err := readJSON(filepath.Join(folder, "posts.json"), &lib.posts); err != nil {
		return nil, err
	}
	if err := readJSON(filepath.Join(folder, "images.json"), &lib.images); err != nil {
		return nil, err
	}
	if len(lib.posts) < postsPerPage || len(lib.images) == 0 {
		return nil, fmt.Errorf("%s holds %d posts and %d images: a page needs %d posts and an image",
			folder, len(lib.posts), len(lib.images), postsPerPage)
	}
	return &lib, nil
}

func readJSON(path string, target any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, target); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// drawPage returns different posts in random order, each with an image drawn on its own.
func (lib *library) drawPage() []illustratedPost {
	page := make([]illustratedPost, 0, postsPerPage)
	for _, i := range rand.Perm(len(lib.posts))[:postsPerPage] {
		image := lib.images[rand.IntN(len(lib.images))]
		page = append(page, illustratedPost{lib.posts[i], image})
	}
	return page
}
