// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.ConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Gives a ResourceManager the configuration that it was started with when it reads its files again, as it does when it
 * becomes active. There are no files.
 */
public final class GivenConfiguration extends ConfigurationProvider {
    private byte[] xml = {};

    @Override
    public void initInternal(Configuration conf) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        conf.writeXml(out);
        xml = out.toByteArray();
    }

    @Override
    public @Nullable InputStream getConfigurationInputStream(Configuration conf, String name) {
        return name.equals(YarnConfiguration.YARN_SITE_CONFIGURATION_FILE)
                        || name.equals(YarnConfiguration.CS_CONFIGURATION_FILE)
                ? new ByteArrayInputStream(xml)
                : null;
    }

    @Override
    public void closeInternal() {}
}
