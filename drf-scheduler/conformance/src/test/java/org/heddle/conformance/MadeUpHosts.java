// SPDX-License-Identifier: Apache-2.0
package org.heddle.conformance;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.net.NetUtils;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Hadoop's suites invent nodes called {@code h1} or {@code host_0} and rely on a network that resolves any name; tokens
 * for containers on such nodes cannot be made elsewhere. Here Hadoop itself is told before the first test that these
 * names are this machine. Names that suites expect to be unknown are not among them.
 */
public final class MadeUpHosts implements LauncherSessionListener {
    private static final int NUMBERED = 120;

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        names().forEach(name -> NetUtils.addStaticResolution(name, "127.0.0.1"));
    }

    private static Stream<String> names() {
        Stream<String> plain =
                Stream.of("bar", "foo", "foo.bar.org", "h", "host", "node", "somehost", "testhost", "unknownhost");
        Stream<String> numbered = List.of("h", "host", "host_", "n", "node", "testhost", "test_host").stream()
                .flatMap(stem -> IntStream.range(0, NUMBERED).mapToObj(number -> stem + number));
        return Stream.concat(plain, numbered);
    }
}
