// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.heddle.offers.model.Resources;
import org.heddle.offers.wire.Encoding;
import org.jspecify.annotations.Nullable;

/** An executor of a framework in a container. */
public final class FrameworkExecutor {
    private final String id;
    private final AgentContainer container;
    private final ExecutorInfo info;
    private final Resources resources;
    private boolean started;
    private boolean shutdown;
    private @Nullable Encoding encoding;

    public FrameworkExecutor(AgentContainer container, ExecutorInfo info, Resources resources) {
        this.id = info.getExecutorId().getValue();
        this.container = container;
        this.info = info;
        this.resources = resources;
    }

    public String id() {
        return id;
    }

    /** Name of the executor in messages with its agent. */
    public String key() {
        return "e/" + id;
    }

    /** Directory of the executor in the container's sandbox. */
    public String sandbox() {
        return "executors/" + id;
    }

    public AgentContainer container() {
        return container;
    }

    public ExecutorInfo info() {
        return info;
    }

    public Resources resources() {
        return resources;
    }

    /** Whether the agent has been told to start the executor. */
    public boolean isStarted() {
        return started;
    }

    public void setStarted(boolean started) {
        this.started = started;
    }

    /** Whether the framework has shut the executor down, so that it gets no more tasks. */
    public boolean isShutdown() {
        return shutdown;
    }

    public void setShutdown(boolean shutdown) {
        this.shutdown = shutdown;
    }

    /** Encoding of its events; null before it has subscribed. */
    public @Nullable Encoding encoding() {
        return encoding;
    }

    public void setEncoding(@Nullable Encoding encoding) {
        this.encoding = encoding;
    }
}
