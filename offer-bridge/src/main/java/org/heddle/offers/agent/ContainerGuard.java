// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.heddle.settings.process.ProcessStart;
import org.jspecify.annotations.Nullable;

/**
 * A shell beside the agent, which ends what the agent cannot. While the agent lives, it sends signals to process
 * groups, which Java cannot do. When the agent ends, in whatever way, the pipe between them ends too, and the shell
 * kills all processes of the container. It has a session of its own, because the NodeManager may kill that of the
 * agent.
 *
 * <p>A process belongs to the container if it is in the session of a task, has the container's mark in its environment,
 * works in a sandbox, is in one of the container's cgroups, or descends from such a process. No single one of these is
 * enough: without cgroups a program can leave its session, and another one can empty its environment.
 */
final class ContainerGuard {
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    /** Pause before a shell that has ended is started again, in ms. */
    private static final long RESTART_MILLIS = 100;

    /** Time after which a shell that does not answer is replaced, in s. */
    private static final long ANSWER_SECONDS = 10;

    /** Of a process that nobody knows. */
    static final long NO_SESSION = -1;

    /** The process group of the shell itself, in a question for its life. */
    private static final long OWN_GROUP = 0;

    /** Variable in the environment of all processes of tasks. */
    private static final String VARIABLE = "HEDDLE_GUARD";

    /** Arguments: the begin of the mark, the directory of the sandboxes, the directories of the container's cgroups. */
    private static final String SCRIPT = """
            [ "$1" ] && [ "$2" ] || exit 2
            trap '' HUP INT TERM QUIT
            line='
            '
            mark=$1
            sandboxes=$2
            shift 2
            live=' '
            marks=''
            left=' '
            # Sets $found: the processes which have one of the texts $1 in their environment, belong to one of the sessions $2,
            # or work below the directory $3, and all their descendants.
            find_processes() {
              found=' '
              for file in $(grep -lsaF "$1" /proc/[0-9]*/environ); do
                file=${file#/proc/}
                found="$found${file%/environ} "
              done
              if [ "$3" ]; then
                for file in $(find /proc/[0-9]*/cwd -prune -lname "$3/*"); do
                  file=${file#/proc/}
                  found="$found${file%/cwd} "
                done
              fi
              processes=$(grep -s -e '^PPid:' -e '^NSsid:' /proc/[0-9]*/status)
              more=yes
              while [ "$more" ]; do
                more=''
                while IFS=':/\t ' read -r _ _ pid _ what number _; do
                  case $found in *" $pid "*) continue ;; esac
                  case $what in
                    PPid) among=$found ;;
                    NSsid) among=$2 ;;
                    *) continue ;;
                  esac
                  case $among in *" $number "*) found="$found$pid "; more=yes ;; esac
                done <<PROCESSES
            $processes
            PROCESSES
              done
              return 0
            }
            without() {
              case $live in *" $1 "*) live="${live%%" $1 "*} ${live#*" $1 "}" ;; esac
            }
            while read -r order number name; do
              case $order in
                TERM | KILL) kill -$order -$number ;;
                LIVES) if kill -0 -$number; then echo "$number yes"; else echo "$number no"; fi ;;
                STARTED) live="$live$number " ;;
                ENDED) without $number ;;
                LEFT) left="$left$number "; marks="$marks${marks:+$line}$mark$name;" ;;
                SWEEP)
                  # An empty text would be found everywhere.
                  [ "$marks" ] && find_processes "$marks" "$left" "" && [ "$found" != ' ' ] && kill -KILL $found
                  marks=''
                  left=' ' ;;
              esac
            done 2> /dev/null
            # The agent is gone.
            pass=0
            empty=0
            while [ $pass -lt 50 ] && [ $empty -lt 3 ]; do
              for group in $live; do kill -KILL -$group; done
              for group in "$@"; do
                for file in "$group"/*/cgroup.kill; do echo 1 > "$file"; done
                for file in "$group"/*/cgroup.procs; do while read -r pid; do kill -KILL $pid; done < "$file"; done
              done
              find_processes "$mark" "$live" "$sandboxes"
              if [ "$found" = ' ' ]; then empty=$((empty + 1)); else empty=0; kill -KILL $found; fi
              sleep 0.1
              pass=$((pass + 1))
            done 2> /dev/null
            for group in "$@"; do rmdir "$group"/*/ "$group"; done 2> /dev/null
            """;

    private final String mark;
    private final Path sandboxes;
    private final List<Path> cgroups;
    private final boolean sessions = Files.isExecutable(SETSID);

    @GuardedBy("this")
    private @Nullable Process shell;

    @GuardedBy("this")
    private final Set<Long> live = new LinkedHashSet<>();

    @GuardedBy("this")
    private boolean left;

    private final Map<Long, CompletableFuture<Boolean>> questions = new ConcurrentHashMap<>();

    /**
     * @param container name of the container, which no other agent of the node has
     * @param cgroups whose children have the processes of tasks
     */
    ContainerGuard(String container, Path sandboxes, List<Path> cgroups) {
        this.mark = VARIABLE + "=" + container + "/";
        this.sandboxes = sandboxes;
        this.cgroups = List.copyOf(cgroups);
    }

    /** Whether each process of a task leads a session, whose number is that of the process. */
    boolean hasSessions() {
        return sessions;
    }

    /** What begins a command whose process leads a session. */
    List<String> newSession() {
        return sessions ? List.of(SETSID.toString()) : List.of();
    }

    /** Marks the processes of a task. */
    void mark(String task, Map<String, String> environment) {
        environment.put(VARIABLE, mark.substring(VARIABLE.length() + 1) + task + ";");
    }

    /** Begins to guard. Without a shell nothing is guarded, and the log says so. */
    synchronized void start() {
        send("");
    }

    /**
     * Sends TERM or KILL to a process group. A group that is gone is not an error.
     *
     * @return false if there is no shell, and none could be started
     */
    synchronized boolean signal(String signal, long group) {
        return send(signal + " " + group);
    }

    /** The session of a task has begun. */
    synchronized void started(long session) {
        live.add(session);
        send("STARTED " + session);
    }

    /**
     * The first process of a task has ended.
     *
     * @param sweeps whether processes may be left that no cgroup shows; {@link #sweep} kills them
     */
    synchronized void ended(String task, long session, boolean sweeps) {
        live.remove(session);
        send("ENDED " + session);
        if (sweeps) {
            send("LEFT " + session + " " + task);
            left = true;
        }
    }

    /**
     * Called again and again. Kills what is left of tasks that have ended, for which it reads about all processes of
     * the node, and replaces a shell that does not answer: a task may have stopped it.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the answer is enough
    synchronized void sweep() {
        Process asked = shell;
        if (asked != null) {
            lives(OWN_GROUP).orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).whenComplete((yes, late) -> {
                if (late != null) {
                    asked.destroyForcibly();
                }
            });
        }
        if (left) {
            left = false;
            send("SWEEP");
        }
    }

    /** Whether a process group has processes; false if nobody can tell. */
    CompletableFuture<Boolean> lives(long group) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        if (!sessions || questions.putIfAbsent(group, answer) != null) {
            return CompletableFuture.completedFuture(sessions);
        }
        synchronized (this) {
            send("LIVES " + group);
        }
        return answer;
    }

    @GuardedBy("this")
    private boolean send(String order) {
        try {
            Process running = shell;
            if (running == null || !running.isAlive()) {
                running = startShell();
                shell = running;
            }
            write(running, order);
            return true;
        } catch (IOException | OutOfMemoryError e) {
            Agent.log("the guard of the container's processes does not run: " + e.getMessage());
            answerAll();
            return false;
        }
    }

    @GuardedBy("this")
    private Process startShell() throws IOException {
        List<String> command = new ArrayList<>(newSession());
        command.addAll(List.of("sh", "-c", SCRIPT, "guard", mark, sandboxes.toString()));
        cgroups.forEach(group -> command.add(group.toString()));
        Process started = ProcessStart.ours(command, builder -> {
            builder.redirectError(ProcessBuilder.Redirect.DISCARD);
            SandboxCommands.removeOwn(builder.environment());
        });
        try {
            Agent.thread("guard", () -> read(started)).start();
            for (long session : live) {
                write(started, "STARTED " + session);
            }
            return started;
        } catch (IOException | OutOfMemoryError e) {
            // If its pipe ended, it would take the agent for dead.
            started.destroyForcibly();
            throw e;
        }
    }

    private static void write(Process to, String order) throws IOException {
        OutputStream in = to.getOutputStream();
        in.write((order + "\n").getBytes(StandardCharsets.US_ASCII));
        in.flush();
    }

    /** Passes the shell's answers on. A task may have killed it; then there is a new one. */
    private void read(Process from) {
        try (BufferedReader answers = from.inputReader(StandardCharsets.US_ASCII)) {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                int space = line.indexOf(' ');
                CompletableFuture<Boolean> question = questions.remove(Long.parseLong(line.substring(0, space)));
                if (question != null) {
                    question.complete(line.endsWith("yes"));
                }
            }
        } catch (IOException | RuntimeException e) {
            Agent.log("the guard of the container's processes: " + e);
        }
        from.destroyForcibly();
        answerAll();
        try {
            from.waitFor(); // onExit would need another thread, and there may be none
            TimeUnit.MILLISECONDS.sleep(RESTART_MILLIS);
            start();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answerAll() {
        questions.values().forEach(question -> question.complete(false));
        questions.clear();
    }
}
