<?php

namespace App\Controller;

use App\Blog\Library;
use Symfony\Bundle\FrameworkBundle\Controller\AbstractController;
use Symfony\Component\HttpFoundation\Response;

final class BlogController extends AbstractController
{
    public function __invoke(Library $library): Response
    {
        return $this->render('blog.html.twig', ['entries' => $library->drawPage()]);
    }
}
