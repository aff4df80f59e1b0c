// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.function.Supplier;
import org.heddle.offers.model.Resources;

/**
 * Decides whether a running container becomes larger instead of a second one on its node: that saves the start and the
 * memory of an agent, and tasks of a shared executor stay in its container. Containers grow up to the size of a first
 * container, so that frameworks go on to share nodes in small parts.
 */
public final class GrowthPolicy {
    private GrowthPolicy() {}

    /** The decision. The first reason that holds is the answer. */
    public enum Verdict {
        GROW,
        /** The scheduler does not make containers larger. */
        UNSUPPORTED,
        /** Its agent has not registered, or is not connected. */
        NOT_RUNNING,
        /** A request for another size is not answered. */
        RESIZING,
        /** It takes no new tasks, or the cluster has announced that it will take it. */
        LEAVES,
        /** A node assigns GPUs when a container starts. */
        GPUS,
        /** It would be larger than it should be. */
        LARGE,
        /** The node has no room for it. */
        NO_ROOM
    }

    /**
     * The input of the decision.
     *
     * @param supported whether the cluster's scheduler makes containers larger
     * @param total size of the container, without its agent
     * @param step what the framework would ask for as a container of its own, without an agent
     * @param limit size of a first container: no container grows beyond it
     * @param free says what is free on the node; not asked for most containers, because that takes some time
     */
    public record View(
            boolean supported,
            boolean running,
            boolean resizing,
            boolean leaves,
            Resources total,
            Resources step,
            Resources limit,
            Supplier<Resources> free) {
        /** YARN counts whole cores. */
        private Resources after() {
            Resources sum = total.plus(step);
            return Resources.of((sum.milliCpus() + 999) / 1000 * 1000, sum.memMb());
        }
    }

    public static Verdict decide(View view) {
        if (!view.supported()) {
            return Verdict.UNSUPPORTED;
        }
        if (!view.running()) {
            return Verdict.NOT_RUNNING;
        }
        if (view.resizing()) {
            return Verdict.RESIZING;
        }
        if (view.leaves()) {
            return Verdict.LEAVES;
        }
        if (view.step().gpus() > 0 || view.total().gpus() > 0) {
            return Verdict.GPUS;
        }
        Resources after = view.after();
        if (!view.limit().covers(after)) {
            return Verdict.LARGE;
        }
        return view.free().get().covers(after.minus(view.total())) ? Verdict.GROW : Verdict.NO_ROOM;
    }

    /** The new size of a container, with its disk and ports. */
    public static Resources grown(View view) {
        Resources after = view.after();
        return new Resources(
                after.milliCpus(),
                after.memMb(),
                view.total().diskMb(),
                view.total().ports());
    }
}
