// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

/** Text inside HTML. */
final class Html {
    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
