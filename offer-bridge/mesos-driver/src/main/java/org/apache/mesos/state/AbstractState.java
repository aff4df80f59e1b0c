// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos.state;

import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A state whose operations run one after the other in a thread of its own. */
public abstract class AbstractState implements State {
    private final ExecutorService operations = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "mesos-state");
        thread.setDaemon(true);
        return thread;
    });

    AbstractState() {}

    /** The stored entry, or a fresh one. */
    abstract StateEntry load(String name) throws Exception;

    /** Replaces the entry if it is still of the given version; returns whether it was. */
    abstract boolean swap(StateEntry version, StateEntry next) throws Exception;

    /** Removes the entry if it is still of the given version; returns whether it was. */
    abstract boolean remove(StateEntry version) throws Exception;

    abstract List<String> list() throws Exception;

    private <T> Future<T> later(Callable<T> operation) {
        return operations.submit(operation);
    }

    @Override
    public Future<Variable> fetch(String name) {
        return later(() -> new Variable(load(name)));
    }

    /** The variable as stored; null if another version was stored since it was fetched. */
    @Override
    public Future<Variable> store(Variable variable) {
        StateEntry next = variable.entry().next();
        return later(() -> swap(variable.entry(), next) ? new Variable(next) : null);
    }

    @Override
    public Future<Boolean> expunge(Variable variable) {
        return later(() -> remove(variable.entry()));
    }

    @Override
    public Future<Iterator<String>> names() {
        return later(() -> list().iterator());
    }
}
