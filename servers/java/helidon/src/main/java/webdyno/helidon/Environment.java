package webdyno.helidon;

/** What the launcher says: environment variables. */
final class Environment {
    private Environment() {}

    static String required(String name) {
        String value = optional(name, "");
        if (value.isEmpty()) {
            refuse(name + " is not set");
        }
        return value;
    }

    static String optional(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    /** Ends the process with exit code 2: the launch was wrong, not the server. */
    static void refuse(String message) {
        System.err.println(message);
        System.exit(2);
    }
}
