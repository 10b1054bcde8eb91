<?php

namespace App\Models\Page;

use Illuminate\Database\Eloquent\Model;

class Article extends Model
{
    protected $primaryKey = 'number';
    public $timestamps = false;
}
