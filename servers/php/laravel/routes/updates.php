<?php

use App\Http\Controllers\UpdatesController;
use Illuminate\Support\Facades\Route;

Route::post('/updates', UpdatesController::class);
