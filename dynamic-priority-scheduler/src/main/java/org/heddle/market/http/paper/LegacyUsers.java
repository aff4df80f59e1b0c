// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.paper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.heddle.market.security.Role;
import org.jspecify.annotations.Nullable;

/**
 * The users file of 2009: lines {@code user role secret} with blanks between the words; the role is {@code admin} or
 * {@code user}. The file is read again when it has changed. A wrong line is reported and ignored, so its user cannot
 * sign; in 2009 it sent the JobTracker into an endless loop. A user who is removed from the file cannot sign any more.
 * Thread-safe.
 */
public final class LegacyUsers {
    private static final long LOOK_MILLIS = 1_000;

    /** A user in the file. */
    record User(String name, Role role, byte[] secret) {}

    private final Path file;
    private final Consumer<String> warnings;
    private Map<String, User> users = Map.of();
    private long lookedMillis = Long.MIN_VALUE;
    private String seen = "";

    /** @param warnings receives a sentence for each problem of the file */
    public LegacyUsers(Path file, Consumer<String> warnings) {
        this.file = file;
        this.warnings = warnings;
    }

    synchronized @Nullable User find(String name, long nowMillis) {
        if (lookedMillis == Long.MIN_VALUE || nowMillis - lookedMillis >= LOOK_MILLIS || nowMillis < lookedMillis) {
            lookedMillis = nowMillis;
            look();
        }
        return users.get(name);
    }

    private void look() {
        try {
            String state = Files.getLastModifiedTime(file) + " " + Files.size(file);
            if (!state.equals(seen)) {
                users = parse(Files.readAllLines(file, StandardCharsets.UTF_8));
                seen = state;
            }
        } catch (IOException e) {
            if (!seen.isEmpty() || !users.isEmpty()) {
                warnings.accept(file + " cannot be read (" + e + "); its users cannot sign until it can");
            }
            users = Map.of();
            seen = "";
        }
    }

    private Map<String, User> parse(List<String> lines) {
        Map<String, User> found = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty()) {
                continue;
            }
            String[] field = line.split("\\s+", -1);
            String where = file + ", line " + (i + 1) + ": ";
            if (field.length != 3) {
                warnings.accept(where + field.length + " fields; write USER ROLE SECRET. The line is ignored");
            } else if (!field[1].equals("admin") && !field[1].equals("user")) {
                warnings.accept(where + "no role '" + field[1] + "'; write admin or user. The line is ignored");
            } else if (found.containsKey(field[0])) {
                warnings.accept(where + "a second line for " + field[0] + "; it is ignored");
            } else {
                Role role = field[1].equals("admin") ? Role.ADMIN : Role.USER;
                found.put(field[0], new User(field[0], role, field[2].getBytes(StandardCharsets.UTF_8)));
            }
        }
        return found;
    }
}
