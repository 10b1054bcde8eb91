using System.Diagnostics.CodeAnalysis;

namespace Webdyno.AspNet;

/// <summary>What the launcher says: environment variables.</summary>
static class Launch
{
    /// <summary>The value of a variable without which the server cannot start.</summary>
    public static string Required(string name)
    {
        var value = Environment.GetEnvironmentVariable(name);
        if (string.IsNullOrEmpty(value))
        {
            Refuse($"{name} is not set");
        }
        return value;
    }

    /// <summary>The whole number in such a variable.</summary>
    public static int RequiredNumber(string name)
    {
        var value = Required(name);
        var number = WholeNumber.UpTo(int.MaxValue, value);
        if (number is null)
        {
            Refuse($"{name} is '{value}', not a whole number");
        }
        return number.Value;
    }

    /// <summary>Ends the process with exit code 2: the launch was wrong, not the server.</summary>
    [DoesNotReturn]
    public static void Refuse(string message)
    {
        Console.Error.WriteLine(message);
        Environment.Exit(2);
    }
}
