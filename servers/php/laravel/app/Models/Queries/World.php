<?php

namespace App\Models\Queries;

use Illuminate\Database\Eloquent\Model;

class World extends Model
{
    public const ROWS = 10_000;

    protected $table = 'world';
    public $timestamps = false;
}
