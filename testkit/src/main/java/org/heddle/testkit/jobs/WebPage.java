// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A page of random words that nginx compresses for each request, so that a request takes processor time. */
public final class WebPage {
    /** Its path. */
    public static final String PATH = "/page";

    private WebPage() {}

    /** Writes it into a directory; returns what nginx must be told ({@code heddle webfarm --location}). */
    public static String write(Path directory, int bytes) throws IOException {
        Random random = new Random(20261125);
        StringBuilder text = new StringBuilder();
        while (text.length() < bytes) {
            text.append(Integer.toString(random.nextInt(50_000), 36)).append(' ');
        }
        Files.writeString(directory.resolve(PATH.substring(1)), text, StandardCharsets.US_ASCII);
        return "gzip on; gzip_comp_level 9; gzip_types *; root " + directory + ";";
    }
}
