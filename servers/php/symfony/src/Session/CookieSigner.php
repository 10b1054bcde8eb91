<?php

namespace App\Session;

use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\HttpKernel\Event\ResponseEvent;
use Symfony\Component\HttpKernel\KernelEvents;

/** Signs the cookie of the session; a cookie whose signature does not fit is as none. */
final class CookieSigner implements EventSubscriberInterface
{
    private string $name;

    public function __construct(private string $secret, array $sessionOptions)
    {
        $this->name = $sessionOptions['name'];
    }

    /** Before Symfony's own listener takes the session's id from the cookie, and after it has set it. */
    public static function getSubscribedEvents(): array
    {
        return [
            KernelEvents::REQUEST => ['verify', 256],
            KernelEvents::RESPONSE => ['sign', -1010],
        ];
    }

    public function verify(RequestEvent $event): void
    {
        $cookies = $event->getRequest()->cookies;
        $cookie = $cookies->all()[$this->name] ?? '';
        $id = is_string($cookie) ? strstr($cookie, '.', true) : false;
        if ($id !== false && hash_equals($this->signed($id), $cookie)) {
            $cookies->set($this->name, $id);
        } else {
            $cookies->remove($this->name);
        }
    }

    public function sign(ResponseEvent $event): void
    {
        $headers = $event->getResponse()->headers;
        foreach ($headers->getCookies() as $cookie) {
            if ($cookie->getName() === $this->name && !$cookie->isCleared()) {
                $headers->setCookie($cookie->withValue($this->signed($cookie->getValue())));
            }
        }
    }

    private function signed(string $id): string
    {
        return $id . '.' . hash_hmac('sha256', $id, $this->secret);
    }
}
