// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The processes of tasks and executors. Each is the leader of its own process group. It is long because the start, the
 * kill and the end of a process can meet in any order, and share its state.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is done later reports through the outbox
final class Processes {
    /** A process that was ordered and has not ended. */
    static final class Running {
        private final LaunchSpec launch;
        private final String group;
        /** Whether it is decided that it starts, or that it was killed before. */
        private final AtomicBoolean decided = new AtomicBoolean();

        private volatile @Nullable Path sandbox;
        private volatile @Nullable Fetch fetch;

        @GuardedBy("this")
        private @Nullable Process process;

        private volatile @Nullable ExecutorEndpoint endpoint;
        private volatile boolean killed;
        private volatile String reason = "";
        /** When the grace of its process group ends, as {@link System#nanoTime}. */
        private volatile long graceEnds = System.nanoTime();

        Running(LaunchSpec launch, String group) {
            this.launch = launch;
            this.group = group;
        }

        LaunchSpec launch() {
            return launch;
        }

        /** It runs; returns whether it was killed before anybody could send it a signal. */
        private synchronized boolean begin(Process begun) {
            process = begun;
            return killed;
        }

        /** It is to end; returns its process, if there is one yet. */
        private synchronized @Nullable Process kill(long graceMillis) {
            graceEnds = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, graceMillis));
            killed = true;
            return process;
        }

        @Nullable
        ExecutorEndpoint endpoint() {
            return endpoint;
        }
    }

    /** Writes the process into its cgroups. The first argument is their number. */
    private static final String ENTER_GROUPS = "_h=$1; shift; while [ \"$_h\" -gt 0 ]; do echo 0 > \"$1\" || exit 125;"
            + " shift; _h=$((_h-1)); done; unset _h; ";

    /** Then runs the command in place of the shell. */
    private static final String THEN_COMMAND = ENTER_GROUPS + "exec \"$@\"";
    /** Then runs a command line of sh in the same shell, which saves one process. */
    private static final String THEN_LINE = ENTER_GROUPS + "_h=$1; shift; eval \"unset _h; $_h\"";

    private static final List<String> SHELL = List.of("sh", "-c");

    /** Interval in which processes are killed that have left the sessions of tasks, after these have ended. */
    private static final long SWEEP_SECONDS = 5;

    /** Interval in which sandboxes of ended processes are deleted; as Mesos looks at the disk. */
    private static final long COLLECT_SECONDS = 60;

    /** Interval in which an ending process group is looked at, in ms. */
    private static final long GROUP_MILLIS = 50;

    private static final long UNHEALTHY_GRACE_MILLIS = 3_000;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Outbox outbox;
    private final Sandboxes sandboxes;
    private final TaskLimits limits;
    private final ContainerGuard guard;
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    /**
     * Processes that have ended, by the number of that event. The bridge may order them again until it has the event.
     */
    private final Map<Long, String> endings = new ConcurrentHashMap<>();

    private final AtomicLong groups = new AtomicLong();
    private final ExecutorService probes = Executors.newCachedThreadPool(task -> Agent.thread("probe", task));
    /** One thread for each process that has files to fetch: the time that they take must not hold up others. */
    private final ExecutorService fetches = Executors.newCachedThreadPool(task -> Agent.thread("fetch", task));

    private final ExecutorService collections =
            Executors.newSingleThreadExecutor(task -> Agent.thread("collector", task));

    private final ExecutorService forks = Executors.newFixedThreadPool(2, task -> Agent.thread("fork", task));
    /** Java has one thread for each process, which waits for its end. Those threads hand all work to this one. */
    private final ExecutorService reaper = Executors.newSingleThreadExecutor(task -> Agent.thread("reaper", task));

    private final ScheduledExecutorService timer;
    private final boolean tokens;
    private final Map<String, String> agents;

    /** @param agents the agent's environment */
    Processes(
            Outbox outbox,
            Sandboxes sandboxes,
            TaskLimits limits,
            ContainerGuard guard,
            ScheduledExecutorService timer,
            boolean tokens,
            Map<String, String> agents) {
        this.outbox = outbox;
        this.sandboxes = sandboxes;
        this.limits = limits;
        this.guard = guard;
        this.agents = agents;
        this.timer = timer;
        this.tokens = tokens;
        timer.scheduleWithFixedDelay(
                () -> collections.execute(sandboxes.collector()::collect),
                COLLECT_SECONDS,
                COLLECT_SECONDS,
                TimeUnit.SECONDS);
        timer.scheduleWithFixedDelay(Agent.again(guard::sweep), SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
        // Starts their threads, because later a task may have taken all that its user may have.
        List.of(forks, forks, reaper, collections).forEach(pool -> pool.execute(() -> {}));
    }

    Sandboxes sandboxes() {
        return sandboxes;
    }

    Map<String, Running> running() {
        return running;
    }

    /** The bridge has stored this event. */
    void settled(long seq) {
        synchronized (outbox) {
            outbox.settle(seq);
            endings.remove(seq);
        }
    }

    /** Starts a process; its start and end become events in the outbox. A known key is ignored. */
    void launch(LaunchSpec launch) {
        Running entry = new Running(launch, "p" + groups.incrementAndGet());
        synchronized (outbox) {
            if (endings.containsValue(launch.key()) || running.putIfAbsent(launch.key(), entry) != null) {
                return;
            }
        }
        if (launch.uris().isEmpty()) {
            forks.execute(() -> start(entry));
            return;
        }
        try {
            fetches.execute(() -> fetch(entry));
        } catch (OutOfMemoryError e) {
            notStarted(entry, e);
        }
    }

    private void fetch(Running entry) {
        try {
            checkUser(entry.launch);
            Path sandbox = sandbox(entry);
            Map<String, String> marked = new HashMap<>();
            guard.mark(entry.group, marked);
            Fetch fetch = new Fetch(sandboxes.root(), agents, marked);
            entry.fetch = fetch;
            if (entry.killed) {
                fetch.cancel();
            }
            for (LaunchSpec.Uri uri : entry.launch.uris()) {
                fetch.fetch(uri, sandbox);
            }
            forks.execute(() -> start(entry));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            if (entry.decided.compareAndSet(false, true)) {
                notStarted(entry, e);
            }
        }
    }

    private void start(Running entry) {
        if (!entry.decided.compareAndSet(false, true)) {
            return;
        }
        LaunchSpec launch = entry.launch;
        try {
            checkUser(launch);
            Path sandbox = sandbox(entry);
            for (Probe probe : launch.probes()) {
                probe.checkEncoding();
            }
            Map<String, String> environment = environment(entry, sandbox);
            ProcessBuilder.Redirect stdout = SandboxCommands.output(sandbox, "stdout");
            ProcessBuilder.Redirect stderr = SandboxCommands.output(sandbox, "stderr");
            Process process = SandboxCommands.users(
                    sandbox,
                    command(entry),
                    builder -> builder.redirectOutput(stdout)
                            .redirectError(stderr)
                            .environment()
                            .putAll(environment));
            guard.started(process.pid());
            boolean killedBefore = entry.begin(process);
            process.getOutputStream().close();
            long pid = process.pid();
            outbox.event(AgentProtocol.STARTED, launch.key(), out -> out.writeLong(pid));
            if (launch.maxMillis() > 0) {
                timer.schedule(() -> overdue(entry), launch.maxMillis(), TimeUnit.MILLISECONDS);
            }
            launch.probes().forEach(probe -> probe(entry, probe, sandbox));
            // Also with an error: Java's own thread for the end may not have started.
            process.onExit().whenCompleteAsync((done, error) -> reap(entry, process), reaper);
            if (killedBefore) {
                end(entry, process);
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            closeEndpoint(entry);
            // Java may have started the process, and found no thread that waits for its end.
            limits.kill(entry.group);
            limits.remove(entry.group);
            guard.ended(entry.group, ContainerGuard.NO_SESSION, true);
            notStarted(entry, e);
        }
    }

    /** The container executor of the node has chosen the user, and the agent cannot become another one. */
    private static void checkUser(LaunchSpec launch) throws IOException {
        String own = System.getProperty("user.name");
        if (!launch.user().isEmpty() && !launch.user().equals(own)) {
            throw new IOException("command.user is '" + launch.user() + "', and containers on this node run as '" + own
                    + "': leave it out, or let YARN run containers as the framework's user (LinuxContainerExecutor and"
                    + " heddle.bridge.users.proxy)");
        }
    }

    private Path sandbox(Running entry) throws IOException {
        Path known = entry.sandbox;
        Path sandbox = known == null ? sandboxes.make(entry.launch.sandbox()) : known;
        entry.sandbox = sandbox;
        return sandbox;
    }

    private void notStarted(Running entry, Throwable e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        last(entry, AgentProtocol.NOT_STARTED, out -> FrameCodec.writeText(out, message));
    }

    private Map<String, String> environment(Running entry, Path sandbox) throws IOException {
        LaunchSpec launch = entry.launch;
        Map<String, String> environment = new HashMap<>(launch.environment());
        environment.put("MESOS_SANDBOX", sandbox.toString());
        environment.put("MESOS_DIRECTORY", sandbox.toString());
        guard.mark(entry.group, environment);
        if (launch.executor()) {
            String token = token();
            ExecutorEndpoint endpoint = new ExecutorEndpoint(launch.key(), outbox, tokens ? token : "");
            entry.endpoint = endpoint;
            environment.put("MESOS_EXECUTOR_AUTHENTICATION_TOKEN", token);
            environment.put("MESOS_AGENT_ENDPOINT", endpoint.address());
        }
        return environment;
    }

    private void probe(Running entry, Probe probe, Path sandbox) {
        LaunchSpec launch = entry.launch;
        HealthChecker.Listener listener = new HealthChecker.Listener() {
            @Override
            public void found(boolean good, int found) {
                outbox.event(AgentProtocol.PROBED, launch.key(), out -> {
                    out.writeBoolean(probe.health());
                    out.writeBoolean(good);
                    out.writeInt(found);
                });
            }

            @Override
            public void unhealthy(String reason) {
                entry.reason = reason;
                kill(launch.key(), UNHEALTHY_GRACE_MILLIS);
            }
        };
        Map<String, String> environment = new HashMap<>(launch.environment());
        guard.mark(entry.group, environment);
        new HealthChecker(
                        probe,
                        sandbox,
                        environment,
                        () -> running.get(launch.key()) == entry && !entry.killed,
                        listener,
                        timer,
                        probes)
                .begin();
    }

    private static String token() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private List<String> command(Running entry) throws IOException {
        LaunchSpec launch = entry.launch;
        List<Path> groupFiles = limits.make(entry.group, launch.milliCpus(), launch.memMb());
        List<String> command = new ArrayList<>(guard.newSession());
        boolean line =
                launch.command().size() == 3 && launch.command().subList(0, 2).equals(SHELL);
        if (!groupFiles.isEmpty()) {
            command.addAll(SHELL);
            command.addAll(List.of(line ? THEN_LINE : THEN_COMMAND, "sh", Integer.toString(groupFiles.size())));
            groupFiles.forEach(file -> command.add(file.toString()));
        }
        boolean isWhole = groupFiles.isEmpty() || !line;
        command.addAll(isWhole ? launch.command() : launch.command().subList(2, 3));
        return command;
    }

    private void overdue(Running entry) {
        entry.reason = "max_completion_time reached";
        kill(entry.launch.key(), 0);
    }

    /** Sends TERM to the process group, and KILL to what is left of it after the grace period. Ends a fetch at once. */
    void kill(String key, long graceMillis) {
        Running entry = running.get(key);
        if (entry == null) {
            return;
        }
        Process process = entry.kill(graceMillis);
        if (entry.decided.compareAndSet(false, true)) {
            ended(entry, 128 + 9);
            Fetch fetch = entry.fetch;
            if (fetch != null) {
                fetches.execute(fetch::cancel);
            }
        } else if (process != null) {
            end(entry, process);
        }
    }

    private void end(Running entry, Process process) {
        long grace = entry.graceEnds - System.nanoTime();
        if (grace <= 0) {
            endAll(entry, process);
            return;
        }
        signal("TERM", process.pid());
        timer.schedule(
                () -> {
                    if (running.get(entry.launch.key()) == entry) {
                        endAll(entry, process);
                    }
                },
                grace,
                TimeUnit.NANOSECONDS);
    }

    /** KILL for the process group, and for what has left it, as far as its cgroup shows. */
    private void endAll(Running entry, Process process) {
        signal("KILL", process.pid());
        limits.kill(entry.group);
    }

    private void signal(String name, long pid) {
        if (!guard.hasSessions() || !guard.signal(name, pid)) {
            ProcessHandle.of(pid).ifPresent(head -> {
                head.descendants().forEach(ProcessHandle::destroyForcibly);
                boolean told = name.equals("TERM") ? head.destroy() : head.destroyForcibly();
                Agent.log("signal " + name + " for " + pid + (told ? "" : " failed"));
            });
        }
    }

    /**
     * Called when the first process of a group has ended. If it was told to end, the others of its group have the same
     * grace: the program of a command line is not the first process, but its child.
     */
    private void reap(Running entry, Process process) {
        if (!entry.killed || System.nanoTime() - entry.graceEnds >= 0) {
            reapAll(entry, process);
            return;
        }
        guard.lives(process.pid())
                .thenAcceptAsync(
                        lives -> {
                            if (lives) {
                                timer.schedule(
                                        () -> reaper.execute(() -> reap(entry, process)),
                                        GROUP_MILLIS,
                                        TimeUnit.MILLISECONDS);
                            } else {
                                reapAll(entry, process);
                            }
                        },
                        reaper);
    }

    private void reapAll(Running entry, Process process) {
        // Ends all that is left of the process group. Its number cannot belong to another group yet, unless the kernel
        // has used up all other numbers meanwhile.
        endAll(entry, process);
        guard.ended(entry.group, process.pid(), !limits.covers(entry.launch.milliCpus(), entry.launch.memMb()));
        closeEndpoint(entry);
        boolean outOfMemory = limits.ranOutOfMemory(entry.group);
        if (outOfMemory) {
            entry.reason = "memory limit of " + entry.launch.memMb() + " MiB reached";
        }
        ended(entry, exitValue(process));
        timer.schedule(() -> limits.remove(entry.group), 200, TimeUnit.MILLISECONDS);
    }

    /** Of one that has ended. Java may say so a moment later. */
    private static int exitValue(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    private void ended(Running entry, int code) {
        boolean outOfMemory = entry.reason.startsWith("memory");
        Path sandbox = entry.sandbox;
        last(entry, AgentProtocol.EXITED, out -> {
            out.writeInt(code);
            out.writeBoolean(entry.killed);
            out.writeBoolean(outOfMemory);
            FrameCodec.writeText(out, entry.reason);
            FrameCodec.writeText(out, sandbox == null ? "" : Sandboxes.endOfOutput(sandbox));
        });
    }

    /** Reports the end of a process. Both maps change together, so that a repeated order does not start it again. */
    private void last(Running entry, byte what, FrameCodec.Fields fields) {
        synchronized (outbox) {
            endings.put(outbox.event(what, entry.launch.key(), fields), entry.launch.key());
            running.remove(entry.launch.key());
            Path sandbox = entry.sandbox;
            if (sandbox != null) {
                sandboxes.collector().ended(sandbox);
            }
        }
    }

    private static void closeEndpoint(Running entry) {
        ExecutorEndpoint endpoint = entry.endpoint;
        if (endpoint != null) {
            endpoint.close();
        }
    }
}
