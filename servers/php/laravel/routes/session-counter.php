<?php

use App\Http\Controllers\SessionCounterController;
use Illuminate\Support\Facades\Route;

Route::get('/', SessionCounterController::class)->middleware('web');
