// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.embedded;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** A NameNode and DataNodes that bear the names of YARN nodes, so that block locations match NodeManagers. */
public final class EmbeddedHdfs implements AutoCloseable {
    private static final String HOSTS = "heddle.testkit.datanode.hosts";

    private final MiniDFSCluster cluster;

    public EmbeddedHdfs(Configuration base, java.nio.file.Path directory, List<String> dataNodeHosts)
            throws IOException {
        Configuration conf = new HdfsConfiguration(base);
        conf.setStrings(HOSTS, dataNodeHosts.toArray(String[]::new));
        cluster = new NamedDataNodes(new MiniDFSCluster.Builder(conf, directory.toFile())
                .numDataNodes(dataNodeHosts.size())
                .storagesPerDatanode(1)
                .useConfiguredTopologyMappingClass(true)
                .checkExitOnShutdown(false));
        cluster.waitActive();
    }

    /** The configuration with which clients and daemons find this file system. */
    public Map<String, String> properties() {
        Configuration conf = cluster.getConfiguration(0);
        return Map.of(
                CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY,
                cluster.getURI().toString(),
                DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
                conf.get(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY));
    }

    public void prepare(Iterable<String> users, boolean mapReduce) throws IOException {
        FileSystem fs = cluster.getFileSystem();
        makeOpen(fs, "/tmp");
        for (String user : users) {
            Path home = new Path("/user/" + user);
            fs.mkdirs(home);
            fs.setOwner(home, user, user);
        }
        if (mapReduce) {
            for (String directory : new String[] {"/mapreduce/staging", "/mapreduce/history/intermediate"}) {
                makeOpen(fs, directory);
            }
            fs.mkdirs(new Path("/mapreduce/history/done"));
        }
    }

    private static void makeOpen(FileSystem fs, String directory) throws IOException {
        Path path = new Path(directory);
        fs.mkdirs(path);
        fs.setPermission(path, new FsPermission((short) 01777));
    }

    @Override
    public void close() {
        cluster.shutdown(false);
    }

    /**
     * Names DataNodes where their addresses are set. The builder's own {@code hosts()} would make Hadoop resolve the
     * names to localhost, where no NodeManager listens.
     */
    private static final class NamedDataNodes extends MiniDFSCluster {
        NamedDataNodes(Builder builder) throws IOException {
            super(builder);
        }

        @Override
        protected void setupDatanodeAddress(
                Configuration conf, boolean setupHostsFile, boolean checkAddress, int httpPort, int ipcPort)
                throws IOException {
            super.setupDatanodeAddress(conf, setupHostsFile, checkAddress, httpPort, ipcPort);
            // Called by the super constructor, so the names come through the configuration.
            conf.set(
                    DFSConfigKeys.DFS_DATANODE_HOST_NAME_KEY,
                    conf.getStrings(HOSTS)[getDataNodes().size()]);
        }
    }
}
