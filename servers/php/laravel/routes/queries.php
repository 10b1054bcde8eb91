<?php

use App\Http\Controllers\QueriesController;
use Illuminate\Support\Facades\Route;

Route::get('/queries', QueriesController::class);
