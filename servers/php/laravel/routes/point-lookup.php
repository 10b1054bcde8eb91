<?php

use App\Http\Controllers\PointLookupController;
use Illuminate\Support\Facades\Route;

Route::get('/sku', PointLookupController::class);
