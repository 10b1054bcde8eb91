<?php

namespace App\Http\Controllers;

use App\Models\PointLookup\Sku;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Illuminate\Support\Arr;

class PointLookupController extends Controller
{
    public function __invoke(Request $request): Response
    {
        $id = $request->query->has('id') ? $request->query('id') : Arr::random(config('skus.candidates'));
        abort_unless(is_string($id), 404);
        $found = Sku::whereKey($id)->value('sku_id');
        abort_if($found === null, 404);

        return response($found)->header('Content-Type', 'text/plain');
    }
}
