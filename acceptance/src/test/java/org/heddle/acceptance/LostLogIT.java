// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.acceptance.LostLogRunbook.Row;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Somebody deletes or changes files of a bridge's log, and an administrator follows docs/runbooks.md: nothing that the
 * bridge had told a framework is gone unless he has accepted that.
 */
@Order(45)
@Tag("long-2")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
@SuppressWarnings("NullAway.Init") // set before all tests
class LostLogIT {
    private static final String ENDS_AT = "ends-at-";

    /** Three bridges, one after the other, have told a framework each that it is subscribed. */
    private final List<String> frameworks = new ArrayList<>();

    private SharedCluster shared;
    private Path copy;
    private int starts;

    /**
     * What is done to the directory of the log, in a shell there; the way out; and how many frameworks are still known
     * then.
     */
    private enum Loss {
        THE_NEWEST_FILE_IS_DELETED("rm $newest", "touch", 2),
        THE_NEWEST_FILE_IS_CUT("truncate -s 100 $newest", "touch", 2),
        THE_ONLY_FILE_IS_DELETED("rm log-*", "touch", 0),
        THE_NEWEST_FILE_COMES_BACK("rm $newest", "cp", 3),
        THE_NOTE_IS_DELETED("rm acknowledged-*", "names", 3),
        A_FILE_IN_THE_MIDDLE_IS_DELETED("rm log-*2-*", "mv", 1),
        A_FILE_IS_DAMAGED("printf '\\377' | dd of=$newest bs=1 seek=60 conv=notrunc", "mv", 2),
        A_BAD_BYTE_IN_EPOCH("printf '\\377' | dd of=epoch conv=notrunc", "rm", 3);

        private final String deed;
        private final String wayOut;
        private final int left;

        Loss(String deed, String wayOut, int left) {
            this.deed = deed;
            this.wayOut = wayOut;
            this.left = left;
        }
    }

    @BeforeAll
    void threeBridgesOneAfterTheOther(SharedCluster cluster) throws Exception {
        shared = cluster;
        Path state = shared.work().resolve("lost-log");
        for (int i = 0; i < 3; i++) {
            try (Daemon bridge = start(state.toString())) {
                subscribe(bridge);
                bridge.stop();
            }
        }
        copy = shared.work().resolve("lost-log-copy");
        shell("cp -a " + state + " " + copy); // as the runbook copies a log
    }

    private Daemon start(String state) throws Exception {
        return BridgeDaemon.start(shared, "bridge-of-lost-log-" + ++starts, 0, "state.dir=" + state);
    }

    private void subscribe(Daemon bridge) throws Exception {
        URI address = BridgeDaemon.address(shared.cluster(), 0);
        BridgeDaemon.awaitAnswer(bridge, address);
        String call = FrameworkStream.subscribe(",\"failover_timeout\":3600");
        try (FrameworkStream events = new FrameworkStream(address, call)) {
            events.until("\"SUBSCRIBED\"");
            frameworks.add(Rest.parse(events.last())
                    .at("/subscribed/framework_id/value")
                    .asText());
        }
    }

    @ParameterizedTest
    @EnumSource
    void theRunbookIsFollowed(Loss loss) throws Exception {
        Path state = shared.work().resolve("lost-log-" + loss);
        shell("cp -a " + copy + " " + state);
        shell("cd " + state + " && newest=$(ls log-* | tail -1) && " + loss.deed);
        String said = refused(state.toString());
        Row row = LostLogRunbook.row(said);
        switch (loss.wayOut) {
            case "touch" -> shell(row.command("touch", state.toString()));
            case "names" -> shell("touch " + named(row, said));
            case "cp" -> {
                assertThat(row.wayOut()).startsWith("copy that file back");
                shell("cp -a " + copy + "/log-* " + state);
            }
            case "rm" -> {
                assertThat(row.wayOut()).startsWith("delete the file `epoch`");
                shell("rm " + state + "/epoch");
            }
            default -> moveAway(row, state, loss);
        }
        assertGoesOn(state.toString(), loss.left);
        assertThat(SourceTree.list(state)).noneMatch(file -> file.startsWith(ENDS_AT));
    }

    /** The last row sends the reader to the first one. */
    private void moveAway(Row row, Path state, Loss loss) throws Exception {
        String all = loss == Loss.A_FILE_IS_DAMAGED
                ? "the same: .* move it and all later ones away"
                : ".*move FILE and all later files .* away.*";
        assertThat(row.wayOut()).matches(all);
        shell("cd " + state + " && mkdir away && mv $(ls log-* | tail -1) away");
        Row next = LostLogRunbook.row(refused(state.toString()));
        shell(next.command("touch", state.toString()));
    }

    /** The file that the sentence of this row names, and that the runbook tells to create. */
    private static String named(Row row, String said) {
        assertThat(row.wayOut()).contains("create `ends-at-NUMBER` as the sentence says");
        return said.replaceFirst("(?s).*create the empty file (\\S+) to go on.*", "$1");
    }

    @Test
    void theRunbookIsFollowedInHdfs() throws Exception {
        Cluster cluster = shared.cluster();
        String state = "hdfs://" + cluster.address("namenode") + ":" + Site.NAME_NODE + "/tmp/lost-log";
        shell("hdfs dfs -put " + copy + " " + state + " && hdfs dfs -rm $(hdfs dfs -ls -C " + state
                + "/log-* | tail -1)");
        shell(LostLogRunbook.row(refused(state)).command("-touchz", state));
        assertGoesOn(state, 2);
    }

    /** What a bridge says that does not start. */
    private String refused(String state) throws Exception {
        try (Daemon bridge = start(state)) {
            Await.until("the bridge to end", SharedCluster.PATIENCE, () -> !bridge.isAlive(), bridge::tail);
            assertThat(bridge.output())
                    .contains("heddle bridge: heddle.bridge.state.dir: ", state)
                    .doesNotContain("Exception");
            return bridge.output();
        }
    }

    /** A bridge starts, knows so many frameworks, and takes another one. */
    private void assertGoesOn(String state, int left) throws Exception {
        try (Daemon bridge = start(state)) {
            URI address = BridgeDaemon.address(shared.cluster(), 0);
            BridgeDaemon.awaitAnswer(bridge, address);
            String told = Rest.get(address.resolve("/state")).body();
            List<String> known = frameworks.stream().filter(told::contains).toList();
            assertThat(known).isEqualTo(frameworks.subList(0, left));
            subscribe(bridge);
            frameworks.remove(3);
            bridge.stop();
        }
    }

    private void shell(String line) throws IOException {
        shared.cluster()
                .command("bash", "-c", "set -e; " + line)
                .with("PATH", shared.home().path().resolve("bin") + ":" + System.getenv("PATH"))
                .as("carol")
                .run()
                .orFail();
    }
}
