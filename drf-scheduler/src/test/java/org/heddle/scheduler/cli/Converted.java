// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

/**
 * What {@code heddle convert} makes of a file, for tests of other packages.
 *
 * @param code it ended with
 */
public record Converted(int code, String out, String err) {
    public static Converted of(Path file) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Heddle.run(new PrintWriter(out, true), new PrintWriter(err, true), "convert", file.toString());
        return new Converted(code, out.toString(), err.toString());
    }
}
