// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos.state;

/** A named value of a {@link State}. Immutable: a change makes a new variable, which must be stored. */
public class Variable {
    private final StateEntry entry;

    /** For other states, which override both methods. */
    protected Variable() {
        this(new StateEntry("", new byte[0], new byte[0]));
    }

    Variable(StateEntry entry) {
        this.entry = entry;
    }

    StateEntry entry() {
        return entry;
    }

    public byte[] value() {
        return entry.value();
    }

    /** The same variable with another value. */
    public Variable mutate(byte[] value) {
        return new Variable(entry.withValue(value));
    }
}
