<?php

use App\Http\Controllers\Sha256Controller;
use Illuminate\Support\Facades\Route;

Route::get('/benchmark', Sha256Controller::class);
