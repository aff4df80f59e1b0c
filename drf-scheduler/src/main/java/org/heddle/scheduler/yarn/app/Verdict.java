// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

/** May an ask be served on a node? Either a {@link Veto}, or the {@link Locality} with which it would be. */
public sealed interface Verdict permits Veto, Locality {
    /** Whether the ask would rather be served on another node. */
    default boolean isSecondChoice() {
        return this == Veto.LOCALITY || this == Locality.RACK || this == Locality.ELSEWHERE;
    }
}
