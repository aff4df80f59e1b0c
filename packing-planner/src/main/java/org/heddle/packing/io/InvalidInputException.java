// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import java.util.List;

/** A file that cannot be used, with all violations; each starts with the path of the value. */
public final class InvalidInputException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;
    private final transient List<String> violations;

    /**
     * @param source name of the file
     * @param violations one sentence each, at least one
     */
    public InvalidInputException(String source, List<String> violations) {
        super(source + ": " + String.join("\n" + source + ": ", violations));
        this.violations = List.copyOf(violations);
    }

    /** One sentence per violation. */
    public List<String> violations() {
        return violations;
    }
}
