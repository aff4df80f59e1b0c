// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos.state;

import java.util.List;

/** A kind of state that this driver does not have. */
abstract class RefusedState extends AbstractState {
    private final String problem;

    /** @throws UnsupportedOperationException always */
    RefusedState(String problem) {
        this.problem = problem;
        throw refusal();
    }

    private UnsupportedOperationException refusal() {
        return new UnsupportedOperationException(problem);
    }

    @Override
    StateEntry load(String name) {
        throw refusal();
    }

    @Override
    boolean swap(StateEntry version, StateEntry next) {
        throw refusal();
    }

    @Override
    boolean remove(StateEntry version) {
        throw refusal();
    }

    @Override
    List<String> list() {
        throw refusal();
    }
}
