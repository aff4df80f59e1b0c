// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.cli.agent;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import org.heddle.market.agent.AgentEvent;
import org.heddle.market.agent.AgentLoop;
import org.heddle.market.agent.BudgetStrategy;
import org.heddle.market.agent.DeadlineStrategy;
import org.heddle.market.agent.JobProgress;
import org.heddle.market.agent.ProgressSource;
import org.heddle.market.agent.RateStrategy;
import org.heddle.market.agent.RateText;
import org.heddle.market.agent.rest.YarnProgress;
import org.heddle.market.agent.rest.YarnRest;
import org.heddle.market.cli.client.MarketClient;
import org.heddle.market.cli.client.MarketCommand;
import org.heddle.market.cli.client.TimeText;
import org.heddle.settings.command.CommandException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heddle market agent}. */
@Command(
        name = "agent",
        description = "Sets the rate of an account while a job runs, and explains each change.",
        subcommands = {AgentCommand.Deadline.class, AgentCommand.Budget.class})
public final class AgentCommand {
    /** What both agents have in common. */
    abstract static class Kind extends MarketCommand {
        private static final ObjectMapper JSON = new ObjectMapper();

        @Option(names = "--account", paramLabel = "ACCOUNT", description = "Default: the account of the key's owner.")
        private @Nullable String account;

        @Option(names = "--application", paramLabel = "ID", description = "The application, application_..._...")
        private @Nullable String application;

        @Option(
                names = "--tag",
                paramLabel = "TAG",
                description = "All applications in the account's queue with this YARN tag.")
        private @Nullable String tag;

        @Option(
                names = "--name",
                paramLabel = "NAME",
                description = "All applications in the account's queue with this name.")
        private @Nullable String name;

        @Option(
                names = "--work",
                paramLabel = "SLOT-SECONDS",
                description = "Its work, for as long as it shows no progress.")
        private double work;

        @Option(
                names = "--max-rate",
                paramLabel = "RATE",
                description = "The agent never sets a higher rate. Default: ${DEFAULT-VALUE}.")
        double maxRate = RateAgent.HIGHEST_RATE;

        @Option(names = "--dry-run", description = "Tell the rates, but set none.")
        private boolean dryRun;

        @Option(
                names = "--log",
                paramLabel = "FILE",
                description = "Append each change to this file, a JSON object a line.")
        private @Nullable Path log;

        abstract RateStrategy strategy(ZonedDateTime now);

        /** Whether it needs an application. */
        abstract boolean needsJob();

        @Override
        protected void run(MarketClient client) {
            RateStrategy strategy = strategy(ZonedDateTime.now(ZoneId.systemDefault()));
            try {
                if (log != null) {
                    append(log, "");
                }
            } catch (IOException e) {
                throw new CommandException(
                        CommandException.WRONG,
                        "--log " + log + " cannot be written; name a file in a directory of yours");
            }
            String whose;
            if (account != null) {
                whose = account;
            } else {
                whose = client.get("whoami").path("name").asText();
            }
            AgentLoop loop =
                    new AgentLoop(new RestMarketAccess(client, whose), progress(whose), strategy, dryRun, this::tell);
            Object lock = new Object();
            Thread hook = new Thread(
                    () -> {
                        synchronized (lock) {
                            loop.stop();
                        }
                    },
                    "set-the-rate-back");
            Runtime.getRuntime().addShutdownHook(hook);
            boolean goesOn = true;
            while (goesOn) {
                synchronized (lock) {
                    goesOn = loop.step();
                }
                if (goesOn) {
                    LockSupport.parkNanos(loop.pauseMillis() * 1_000_000);
                }
            }
        }

        private ProgressSource progress(String whose) {
            int given = (application == null ? 0 : 1) + (tag == null ? 0 : 1) + (name == null ? 0 : 1);
            if (given == 0 && !needsJob()) {
                return market -> new JobProgress(false, 0, market.wanted(), 0, 0, "no application is given");
            }
            if (given != 1) {
                throw new CommandException(
                        CommandException.WRONG, "give the job with exactly one of --application, --tag and --name");
            }
            YarnRest yarn = new YarnRest(connection().resourceManagers(), System.getProperty("user.name"));
            return new YarnProgress(yarn, () -> found(yarn, whose), sought(whose), work * 1_000);
        }

        private String sought(String whose) {
            if (application != null) {
                return "the id " + application;
            }
            return (tag == null ? "the name " + name : "the tag " + tag) + " in the queue " + whose;
        }

        private List<String> found(YarnRest yarn, String whose) throws IOException {
            return application != null ? List.of(application) : yarn.unfinished(whose, tag, name);
        }

        private void tell(AgentEvent event) {
            String rate;
            if (event.before() == event.after()) {
                rate = "rate " + RateText.of(event.after());
            } else {
                rate = "rate " + RateText.of(event.before()) + " -> " + RateText.of(event.after());
            }
            out().println(Instant.ofEpochMilli(event.atMillis()).truncatedTo(ChronoUnit.SECONDS) + "  " + word(event)
                    + "  " + rate + ": " + event.reason());
            out().flush();
            if (log != null) {
                ObjectNode line = JSON.createObjectNode();
                line.put("atMillis", event.atMillis());
                line.put("event", word(event));
                line.put("before", RateText.of(event.before()));
                line.put("after", RateText.of(event.after()));
                line.put("reason", event.reason());
                try {
                    append(log, line + "\n");
                } catch (IOException e) {
                    // The rate matters more than the log of it.
                    err().println("heddle market: --log " + log + " cannot be written: " + e);
                }
            }
        }

        private static void append(Path log, String text) throws IOException {
            Files.write(
                    log, text.getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }

        private static String word(AgentEvent event) {
            return event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** {@code agent deadline}. */
    @Command(name = "deadline", description = "Ends a job at a time, at the lowest cost.")
    static final class Deadline extends Kind {
        @Option(
                names = "--finish",
                required = true,
                paramLabel = "TIME",
                description = "18:00, 90m, 2h or 2026-11-23T18:00.")
        @SuppressWarnings("NullAway.Init") // injected
        private String finish;

        @Option(names = "--max-cost", paramLabel = "CREDITS", description = "Never spend more than this.")
        private double maxCost = Double.POSITIVE_INFINITY;

        @Override
        RateStrategy strategy(ZonedDateTime now) {
            long end = TimeText.millis(finish, now);
            if (end <= now.toInstant().toEpochMilli()) {
                throw new CommandException(
                        CommandException.WRONG, "--finish " + finish + " is over; give a later time");
            }
            return new DeadlineStrategy(end, maxCost, maxRate);
        }

        @Override
        boolean needsJob() {
            return true;
        }
    }

    /** {@code agent budget}. */
    @Command(name = "budget", description = "Gets as much as possible for a sum, and never spends more.")
    static final class Budget extends Kind {
        @Option(names = "--spend", required = true, paramLabel = "CREDITS", description = "The sum.")
        private double spend;

        @Option(names = "--until", paramLabel = "TIME", description = "Spread the sum over the time until then.")
        private @Nullable String until;

        @Override
        RateStrategy strategy(ZonedDateTime now) {
            if (!(spend > 0)) {
                throw new CommandException(CommandException.WRONG, "--spend " + spend + " must be more than 0");
            }
            return new BudgetStrategy(spend, until == null ? 0 : TimeText.millis(until, now), maxRate);
        }

        @Override
        boolean needsJob() {
            return until == null;
        }
    }
}
