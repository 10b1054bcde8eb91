using System.Globalization;

namespace Webdyno.AspNet;

/// <summary>Numbers in decimal digits, without a sign or spaces around them.</summary>
static class WholeNumber
{
    /// <summary>The number of 0 to <paramref name="most"/> that the text is; null where it is none.</summary>
    public static int? UpTo(int most, string? text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number <= most
            ? number
            : null;
}
