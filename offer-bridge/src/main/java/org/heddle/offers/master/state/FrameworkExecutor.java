// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.heddle.offers.model.Resources;
import org.heddle.offers.wire.Encoding;
import org.jspecify.annotations.Nullable;

/** A framework's own executor in a container. */
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

    /** The name that its agent knows it by. */
    public String key() {
        return "e/" + id;
    }

    /** Its directory in the container's sandbox. */
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

    /** The agent has been told to start it. */
    public boolean isStarted() {
        return started;
    }

    public void setStarted(boolean started) {
        this.started = started;
    }

    /** The framework has shut it down: it takes no more tasks. */
    public boolean isShutdown() {
        return shutdown;
    }

    public void setShutdown(boolean shutdown) {
        this.shutdown = shutdown;
    }

    /** How it wants its events; null before it has subscribed. */
    public @Nullable Encoding encoding() {
        return encoding;
    }

    public void setEncoding(@Nullable Encoding encoding) {
        this.encoding = encoding;
    }
}
