<?php

use App\Http\Controllers\PageController;
use Illuminate\Support\Facades\Route;

// Without the group of middleware for pages with sessions, which this one has none of.
Route::get('/page', PageController::class);
