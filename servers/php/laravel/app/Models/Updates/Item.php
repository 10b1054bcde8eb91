<?php

namespace App\Models\Updates;

use Illuminate\Database\Eloquent\Model;

class Item extends Model
{
    public const ROWS = 10_000;

    protected $table = 'stock';
    public $timestamps = false;
}
