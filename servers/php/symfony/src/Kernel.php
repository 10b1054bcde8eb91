<?php

namespace App;

use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel as BaseKernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

/** The kernel of one scenario, which has a compiled container and routes of its own. */
class Kernel extends BaseKernel
{
    use MicroKernelTrait;

    public function getCacheDir(): string
    {
        return $this->getProjectDir() . '/var/cache/' . $this->environment . '/' . $this->scenario();
    }

    private function configureContainer(ContainerConfigurator $container): void
    {
        $container->import($this->getConfigDir() . '/packages/*.yaml');
        $container->import($this->getConfigDir() . '/services.yaml');
    }

    private function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->import($this->getConfigDir() . '/routes/' . $this->scenario() . '.yaml');
    }

    private function scenario(): string
    {
        return (string) getenv('WEBDYNO_SCENARIO');
    }
}
