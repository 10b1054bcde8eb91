namespace Webdyno.AspNet;

static class Tags
{
    const int Digits = 18;

    /// <summary>Whether a parameter is a tag: eighteen decimal digits.</summary>
    public static bool IsTag(string text) => text.Length == Digits && text.All(char.IsAsciiDigit);
}
