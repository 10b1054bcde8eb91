<?php

use App\Http\Controllers\FortunesController;
use Illuminate\Support\Facades\Route;

Route::get('/fortunes', FortunesController::class);
